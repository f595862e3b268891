package dev.sluice.planner;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks the test of a behaviour of the roller that people run today. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Parity {

  /** The lines of the checklist that the test answers. */
  String[] value();

  /** What differs, on purpose, and why that is better; empty: the same. */
  String better() default "";
}
