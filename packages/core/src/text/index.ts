/** Rules for texts that the server, the command line and the operators' page share. */
export { isBlank } from "./blank-text.js";
export { decodeText, encodingProblem } from "./decode-text.js";
export { formatJsonPath } from "./json-path.js";
export { readPathSegment, writePathSegment } from "./path-segment.js";
export { jsonProblemText, type JsonProblem, parseStrictJson } from "./strict-json.js";
export { visible, visibleLine } from "./escape-unseen-characters.js";
