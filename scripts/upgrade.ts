// Upgrades a running service: hosts of the packed packages serve while the next release migrates
// the database and takes over.
import { startPostgres } from "@tillkit/local-postgres";
import { secondsSince, withTemporaryFolder } from "@tillkit/repository";
import { playUpgrade } from "./upgrade/play-upgrade.js";
import { nextRelease, previousRelease } from "./upgrade/releases.js";
import { report } from "./upgrade/report.js";

/** The number of findings that the program prints. */
const MAX_REPORTED = 20;

const began = performance.now();
const print = (text: string): void => console.log(`${secondsSince(began).padStart(5)} s  ${text}`);
const server = await startPostgres();
try {
  await withTemporaryFolder(async (folder) => {
    const previous = await previousRelease(folder);
    print("installed the packed packages as the previous release");
    const next = await nextRelease();
    const counts = await playUpgrade({ previous, next, serverUrl: server.url, folder, print });
    for (const failure of counts.traffic.failures.slice(0, MAX_REPORTED)) console.error(`failed: ${failure}`);
    for (const { kind, bizNo, what } of counts.findings.slice(0, MAX_REPORTED))
      console.error(`${kind} ${bizNo}: ${what}`);
    const { line, passed } = report(counts);
    console.log(line);
    if (!passed) process.exitCode = 1;
  });
} finally {
  await server.stop();
}
