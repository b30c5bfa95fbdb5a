/** Rules for texts that the server, the command line and the operators' page share. */
export { isBlank } from "./blank-text.js";
export { readPathSegment, writePathSegment } from "./path-segment.js";
export { visible, visibleLine } from "./visible-text.js";
