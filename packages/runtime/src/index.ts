export { nodeDigest, type NodeDigestOptions, type Pepper } from "./node-digest.js";
export { silentObserver } from "./silent-observer.js";
export { systemClock } from "./system-clock.js";
export { systemRandom } from "./system-random.js";
