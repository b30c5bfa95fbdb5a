import { randomInt } from "node:crypto";

/** Digits per call of `randomInt`, whose range is limited to 48 bits. */
const DRAWN = 14;

/** Returns a random text of `count` digits. */
export function digits(count: number): string {
  const draw = () => String(randomInt(10 ** DRAWN)).padStart(DRAWN, "0");
  return Array.from({ length: Math.ceil(count / DRAWN) }, draw)
    .join("")
    .slice(0, count);
}
