/**
 * Assembly: the only package tree that creates stages and connects them. Contains the roles, the admin endpoint and the command line.
 */
package io.tributary.node;
