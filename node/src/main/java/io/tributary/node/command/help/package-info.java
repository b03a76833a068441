/** What the command line says about itself: its help, its versions, completion for shells, and the page docs/cli.md. */
package io.tributary.node.command.help;
