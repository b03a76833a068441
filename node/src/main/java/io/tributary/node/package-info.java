/**
 * Assembly: the only package tree that creates stages and connects them. Contains the roles ({@code role}) and their parts ({@code process}, {@code
 * task}, {@code dumper}, {@code cluster}), the admin endpoint and the command line.
 */
package io.tributary.node;
