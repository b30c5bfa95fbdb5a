// Starts each recipe on ports in memory and takes a payment there. With the name of a recipe,
// serves it on PORT (8787) instead, until a signal ends it.
import { demoSurfaces } from "./demo-surfaces.js";
import { startHono } from "./hono.js";
import { startKoa } from "./koa.js";
import { startNest } from "./nest.js";
import type { StartHost } from "./running-host.js";
import { takePayment } from "./take-payment.js";

const RECIPES = new Map<string, StartHost>([
  ["hono", startHono],
  ["koa", startKoa],
  ["nest", startNest],
]);

const asked = process.argv[2];
const chosen = asked === undefined ? undefined : RECIPES.get(asked);
if (asked !== undefined && chosen === undefined) {
  console.error(`usage: main.ts [${[...RECIPES.keys()].join(" | ")}]`);
  process.exitCode = 2;
} else if (chosen === undefined) {
  for (const [name, start] of RECIPES) {
    const host = await start(await demoSurfaces(), 0);
    await takePayment(host.baseUrl);
    await host.close();
    console.log(`${name}: an order was paid, notified and refunded`);
  }
} else {
  const host = await chosen(await demoSurfaces(), Number(process.env["PORT"] ?? 8787));
  console.log(`${asked} serves ${host.baseUrl}/pay and ${host.baseUrl}/wallets`);
  process.once("SIGTERM", () => void host.close());
}
