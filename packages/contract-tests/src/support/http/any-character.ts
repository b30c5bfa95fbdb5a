import fc from "fast-check";

const LAST = 0x10_ff_ff;
const [FIRST_SURROGATE, SURROGATES] = [0xd8_00, 0x8_00];

/** Any character of Unicode. The unit `"binary"` of fast-check is the same, and takes a second of every process: it makes a table of all of them. */
export const anyCharacter = fc
  .integer({ min: 0, max: LAST - SURROGATES })
  .map((place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES));
