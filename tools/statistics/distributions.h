/*
 * tools/statistics/distributions.h - Student's t distribution, and derivatives of the logarithm of the gamma function.
 *
 * Errors are below 1e-9 of the value for degrees of freedom from 0.5 to 1e6.  Sources: the continued fraction of the
 * incomplete beta function (NIST Digital Library of Mathematical Functions, 8.17.22); asymptotic series of digamma and
 * trigamma (5.11.2, 5.15.8) after recurrence.
 */
#ifndef PROF_STATISTICS_DISTRIBUTIONS_H
#define PROF_STATISTICS_DISTRIBUTIONS_H

/* The probability that t is above `value`; 0 < freedom. */
double prof_t_above(double value, double freedom);

/* The value that t is above with this probability, 0 < probability < 1: the inverse. */
double prof_t_value(double probability, double freedom);

double prof_digamma(double x); /* x > 0 */
double prof_trigamma(double x);

#endif
