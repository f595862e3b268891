package dev.sluice.filter;

/**
 * The connection ends.
 *
 * @param why a sentence for the log
 */
public record Close(String why) implements RequestVerdict, ResponseVerdict {}
