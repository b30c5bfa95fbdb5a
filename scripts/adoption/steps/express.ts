import assert from "node:assert/strict";
import { root } from "@tillkit/repository";
import { takePayment } from "../../../examples/frameworks/src/take-payment.js";
import { bundle } from "../lib/bundle.js";
import { asInstalled, install, installedVersion } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";
import { withServer } from "../lib/with-server.js";

const OWN = ["core", "express", "memory", "runtime"].map((name) => `@tillkit/${name}`);

/** Runs one program on Express 4 and on Express 5. */
export const express: AdoptionStep = {
  name: "express",
  shows: "one host on Express 4 and on Express 5 takes a payment",
  run: async ({ folder, tarballs }) => {
    const versions = [`express@${installedVersion("express4")}`, asInstalled("express")];
    for (const version of versions) {
      const place = `${folder}/${version}`;
      await install(place, tarballs, OWN, [version]);
      await bundle(`${root}scripts/adoption/projects/express/host.ts`, `${place}/host.mjs`);
      await withServer(process.execPath, ["host.mjs"], place, async (url) => {
        await takePayment(url);
        const headers = { "content-type": "application/json" };
        const own = await fetch(`${url}/own`, { method: "POST", headers, body: `{"a":1}` });
        assert.deepEqual(await own.json(), { a: 1 });
      });
    }
    return `${versions.join(" and ")} took a payment, and parsed the bodies of the host's own route`;
  },
};
