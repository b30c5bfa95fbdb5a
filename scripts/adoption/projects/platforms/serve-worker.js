// Serves worker.mjs on workerd. miniflare needs Node 22.
import { Miniflare } from "miniflare";

const miniflare = new Miniflare({
  modules: true,
  scriptPath: "worker.mjs",
  compatibilityDate: "2026-07-01",
  // @tillkit/memory signs with node:crypto.
  compatibilityFlags: ["nodejs_compat"],
});
console.log(`listening ${await miniflare.ready} `);
process.once("SIGTERM", () => void miniflare.dispose());
