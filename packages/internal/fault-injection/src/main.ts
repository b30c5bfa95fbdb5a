// What callers see when what the host stands on fails, and when there are more of them than it bears. Ends with 1 when a request hung or went wrong.
import { DATABASE_FAULTS, meet } from "./database-faults.js";
import { overload } from "./overload.js";
import { HEAD, lineOf, type Row } from "./row.js";
import { openScene, type Scene } from "./scene.js";
import { hangWallet } from "./wallet-faults.js";

function print(...rows: readonly Row[]): void {
  for (const row of rows) {
    if (row.hung > 0 || row.wrong > 0) process.exitCode = 1;
    console.log(lineOf(row));
  }
}

async function play(changes: Readonly<Record<string, string>>, act: (scene: Scene) => Promise<void>) {
  const scene = await openScene(changes);
  await act(scene).finally(() => scene.close());
}

console.log(HEAD);
await play({}, async (scene) => {
  for (const fault of DATABASE_FAULTS) print(await meet(scene, fault));
  for (const payChannel of ["WALLET_A", "WALLET_B"] as const) print(...(await hangWallet(scene, payChannel)));
});
// Bounds for what this machine bears: as many places as keep it busy, and no line before them, so that what is let in takes as long as ever. The default
// ones leave room for calls that hang at a wallet, of which there are none here.
await play({ REQUESTS_AT_ONCE: "16", REQUESTS_WAITING: "0" }, async (scene) => {
  print(...(await overload(scene)));
});
