import { issue, wellFormedText } from "../shared/input.js";
import { hasControlCharacter } from "../shared/text.js";

/** The texts of a pay tool that responses contain. They may be empty. */
export const PAY_TOOL_LABELS = ["appName", "appPackageName", "appSignature"] as const;
/** One of {@link PAY_TOOL_LABELS}. */
export type PayToolLabel = (typeof PAY_TOOL_LABELS)[number];

/** Schema of one of {@link PAY_TOOL_LABELS}. */
export function payToolLabel() {
  return wellFormedText()
    .refine((text) => [...text].length <= 255, issue("length"))
    .refine((text) => !hasControlCharacter(text), issue("control-characters"));
}
