import type { Digest } from "@tillkit/core";
import { nodeDigest, type Pepper } from "@tillkit/runtime";

/** A public pepper for tests and demos only. Digests with this pepper protect no phone number. */
export const EXAMPLE_PEPPER: Pepper = { version: 1, key: "an example pepper, known to everybody" };

/** Creates digests with {@link EXAMPLE_PEPPER}, for tests and demos only. */
export const exampleDigest: Digest = nodeDigest({ peppers: [EXAMPLE_PEPPER] });
