import fc from "fast-check";

const LAST = 0x10_ff_ff;
const [FIRST_SURROGATE, SURROGATES] = [0xd8_00, 0x8_00];

/**
 * Generates any Unicode character.
 *
 * The unit `"binary"` of fast-check is equivalent, but it builds a table of all characters, which
 * takes one second per process.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: LAST - SURROGATES })
  .map((place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES));
