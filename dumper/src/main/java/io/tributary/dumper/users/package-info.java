/**
 * The users that may read, in the users file.
 *
 * <pre>
 *   tributary user add ──> {@link io.tributary.dumper.users.UsersFile} ──rename──> users ──> {@link io.tributary.dumper.users.WatchedUsers} ──> logins
 * </pre>
 */
package io.tributary.dumper.users;
