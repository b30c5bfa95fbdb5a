import { expect, it } from "vitest";
import { argumentsFrom } from "./arguments-from.js";

it("argumentsFrom passes the environment of npm start to tillkit dev", () => {
  expect(
    argumentsFrom({
      PORT: "0",
      DATA_DIR: "/data/shop",
      DATABASE_URL: "postgres://localhost/shop",
      HISTORY: "off",
    }),
  ).toEqual([
    "--port",
    "0",
    "--data-dir",
    "/data/shop",
    "--postgres-url",
    "postgres://localhost/shop",
    "--no-history",
  ]);
});

it("argumentsFrom passes nothing for variables that are absent or empty", () => {
  expect(argumentsFrom({ PORT: "", HISTORY: "" })).toEqual([]);
});
