import assert from "node:assert/strict";
import { rehearse } from "@tillkit/server/rehearsal";

await rehearse({
  main: new URL("main.ts", import.meta.url),
  serverUrl: process.env["REHEARSAL_DATABASE_URL"] ?? "",
  check: async ({ api }) => {
    const page = await fetch(`${api}/thanks`);
    assert.equal(await page.text(), "Thank you for your order.\n");
    console.log("The host serves its own page.");
  },
});
