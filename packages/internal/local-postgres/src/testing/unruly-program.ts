// Starts a server, sends its address to the parent and never stops it. Uses the programs in the
// folder of its argument, if there is one. Throws when it receives a message; otherwise waits for a
// signal.
import { startPostgres } from "../start-postgres.js";

const { url } = await startPostgres({ programs: process.argv[2] });
process.on("message", () => {
  throw new Error("A program of a test throws.");
});
process.send?.(url);
