/**
 * The users that may read, in the users file.
 *
 * <pre>
 *   tributary user add ──> {@link io.tributary.serve.users.UsersFile} ──rename──> users ──> {@link io.tributary.serve.users.WatchedUsers} ──> logins
 * </pre>
 */
package io.tributary.serve.users;
