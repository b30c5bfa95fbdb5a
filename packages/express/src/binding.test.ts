import { bindingContract, listen, manyCases } from "@tillkit/contract-tests";
import { expect, it } from "vitest";
import { versions } from "./testing/hosts.js";

it("runs on two different versions of Express", () => {
  expect(versions[0].express).not.toBe(versions[1].express);
});

for (const { version, express, surfaceRouter } of versions) {
  bindingContract(version, async (surfaces) => {
    const app = express();
    app.use("/pay", surfaceRouter(surfaces.payments));
    app.use("/wallets", surfaceRouter(surfaces.notifications));
    app.use(surfaceRouter(surfaces.metrics));
    return listen(app);
  });

  // By default, only Express 5 is tested with other mount points.
  if (version === "Express 4" && !manyCases()) continue;

  bindingContract(`${version}, mounted with trailing slashes`, async (surfaces) => {
    const app = express();
    app.use("/pay/", surfaceRouter(surfaces.payments));
    app.use("/wallets/", surfaceRouter(surfaces.notifications));
    app.use("/", surfaceRouter(surfaces.metrics));
    return listen(app);
  });

  bindingContract(`${version}, inside a router of the host`, async (surfaces) => {
    const app = express();
    // The options of the host's own router decide how it compares mount points.
    const inner = express.Router({ caseSensitive: true });
    inner.use("/pay", surfaceRouter(surfaces.payments));
    inner.use("/wallets", surfaceRouter(surfaces.notifications));
    inner.use(surfaceRouter(surfaces.metrics));
    app.use("/v1", inner);
    const host = await listen(app);
    return { ...host, baseUrl: `${host.baseUrl}/v1` };
  });
}
