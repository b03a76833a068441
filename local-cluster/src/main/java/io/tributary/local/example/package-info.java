/** Example programs, run by scripts in bin/: they show what a user's own coordinator must do. */
package io.tributary.local.example;
