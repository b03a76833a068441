/**
 * Assembly: the only place that makes stages and joins them; roles, the admin endpoint and the command line.
 */
package io.tributary.node;
