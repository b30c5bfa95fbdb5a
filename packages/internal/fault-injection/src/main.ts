// Measures the responses of a host while its database or a wallet fails, and under overload. Exits
// with 1 if a request hung or got a wrong response.
import { DATABASE_FAULTS, runDatabaseFault } from "./database-faults.js";
import { overload } from "./overload.js";
import { HEAD, lineOf, type Row } from "./row.js";
import { openScenario, type Scenario } from "./scenario.js";
import { hangWallet } from "./wallet-faults.js";

function print(...rows: readonly Row[]): void {
  for (const row of rows) {
    if (row.hung > 0 || row.wrong > 0) process.exitCode = 1;
    console.log(lineOf(row));
  }
}

async function play(changes: Readonly<Record<string, string>>, act: (scenario: Scenario) => Promise<void>) {
  const scenario = await openScenario(changes);
  try {
    await act(scenario);
  } finally {
    await scenario.close();
  }
}

console.log(HEAD);
await play({}, async (scenario) => {
  for (const fault of DATABASE_FAULTS) print(await runDatabaseFault(scenario, fault));
  for (const payChannel of ["WALLET_A", "WALLET_B"] as const)
    print(...(await hangWallet(scenario, payChannel)));
});
// Limits for this machine: as many requests as keep it busy, and no queue, so that accepted
// requests are as fast as without overload. The default limits also allow for calls that hang at a
// wallet. This part has no such calls.
await play({ MAX_CONCURRENT_REQUESTS: "16", MAX_QUEUED_REQUESTS: "0" }, async (scenario) => {
  print(...(await overload(scenario)));
});
