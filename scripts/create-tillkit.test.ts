import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { root } from "@tillkit/repository";
import { VERSIONS } from "../packages/create-tillkit/src/versions.js";
import { installedVersion } from "./adoption/lib/install.js";
import { REGISTRY_VERSIONS } from "./adoption/lib/registry-versions.js";

it.each(Object.entries(VERSIONS))(
  "npm create tillkit writes the version of %s that this repository has",
  (name, version) => {
    const fromRegistry = Object.values(REGISTRY_VERSIONS).find((one) => one.startsWith(`${name}@`));
    const installed = existsSync(`${root}node_modules/${name}/package.json`)
      ? installedVersion(name)
      : fromRegistry?.slice(name.length + 1);
    expect(version).toBe(installed);
  },
);
