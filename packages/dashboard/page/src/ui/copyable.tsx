import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language/catalogue.js";
import { Icon } from "./icon.js";
import { UI_TEXTS } from "./messages.js";

interface CopyableProps {
  readonly text: string;
  /** What is shown instead of the text, such as a link. */
  readonly children?: ReactNode;
}

/** A text with a button that copies it. The button is missing where the browser cannot copy. */
export function Copyable({ text, children = <span className="mono">{text}</span> }: CopyableProps) {
  const texts = useTexts(UI_TEXTS);
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return (
    <span className="copyable">
      {children}
      {"clipboard" in navigator && (
        <Button
          className="icon-button"
          aria-label={`${isCopied ? texts.copied : texts.copy}: ${text}`}
          onPress={copy}
          onBlur={() => setCopied(false)}
        >
          <Icon name={isCopied ? "check" : "copy"} />
        </Button>
      )}
    </span>
  );
}
