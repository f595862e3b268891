/**
 * The fences between the modules, and the pages of documentation that are written from the code.
 *
 * <p>{@code DirectionsTest}, {@code PureModulesTest}, {@code ShellsTest} and {@code NamesTest} say
 * what may depend on what, what a pure module and an event loop may not do, and how things are
 * called. They look at every class of the product that is on the class path; a module that does not
 * exist yet is fenced from its first day.
 *
 * <p>{@code GeneratedDocsTest} holds {@code docs/generated} against the code. Where they differ the
 * build fails and names the command that writes the pages anew.
 */
@NullMarked
package dev.sluice.architecture;

import org.jspecify.annotations.NullMarked;
