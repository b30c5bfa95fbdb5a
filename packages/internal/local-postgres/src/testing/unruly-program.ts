// Starts a server, of the programs in a folder if its argument names one, tells its parent the address, and never stops it: it throws when it is told to,
// and otherwise waits for a signal.
import { startPostgres } from "../start-postgres.js";

const { url } = await startPostgres({ programs: process.argv[2] });
process.on("message", () => {
  throw new Error("A program of a test throws.");
});
process.send?.(url);
