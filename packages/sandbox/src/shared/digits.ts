import { randomInt } from "node:crypto";

/** So many digits are drawn at once: `randomInt` takes no more than 48 bits. */
const DRAWN = 14;

/** A random text of `count` digits. */
export function digits(count: number): string {
  const draw = () => String(randomInt(10 ** DRAWN)).padStart(DRAWN, "0");
  return Array.from({ length: Math.ceil(count / DRAWN) }, draw)
    .join("")
    .slice(0, count);
}
