/**
 * The server to which transactions are applied: its sessions, what it has executed ({@link io.tributary.apply.server.ApplyProgress}), and the order in
 * which its sessions commit ({@link io.tributary.apply.server.Turn}).
 */
package io.tributary.apply.server;
