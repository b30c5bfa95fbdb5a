import { parseJson } from "../read-parameters.js";

/** Writes `attachData`: a JSON object or array unchanged, any other text as a JSON string. */
export function attachDataJson(attachData: string): string {
  const isStructured = /^[\s]*[{[]/.test(attachData) && parseJson(attachData).isOk();
  return isStructured ? attachData : JSON.stringify(attachData);
}
