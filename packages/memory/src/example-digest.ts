import { type Pepper, nodeDigest } from "@tillkit/runtime";

/** A pepper everybody knows. For tests and demos only: digests under it protect no phone number. */
export const EXAMPLE_PEPPER: Pepper = { version: 1, key: "an example pepper, known to everybody" };

/** Digests under `EXAMPLE_PEPPER`. For tests and demos only. */
export const exampleDigest = nodeDigest({ peppers: [EXAMPLE_PEPPER] });
