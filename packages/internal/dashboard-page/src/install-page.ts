import { cp, rm } from "node:fs/promises";
import { root } from "@tillkit/repository";
import { ensurePage } from "./ensure-page.js";

/** Where the dashboard looks for the page if it runs from its sources. */
const BUILT = `${root}packages/dashboard/node_modules/.page`;

/** Builds the page if necessary, and puts it where the dashboard looks for it. */
export async function installPage(): Promise<void> {
  const folder = await ensurePage();
  await rm(BUILT, { recursive: true, force: true });
  await cp(folder, BUILT, { recursive: true });
}
