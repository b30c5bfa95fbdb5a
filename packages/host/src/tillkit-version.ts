import { readFileSync } from "node:fs";

/** Returns the version of this package. The build replaces this module by one with the version. */
export function tillkitVersion(): string {
  try {
    const read: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    return isOwnManifest(read) ? read.version : "unknown";
  } catch {
    return "unknown";
  }
}

function isOwnManifest(value: unknown): value is { readonly version: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    value.name === "@tillkit/host" &&
    "version" in value &&
    typeof value.version === "string"
  );
}
