/** One key or certificate of a configured text. */
export interface KeyMaterial {
  /** The label of the PEM header, such as `PRIVATE KEY`; absent for bare base64. */
  readonly label?: string;
  readonly der: Buffer;
  /** Whether the PEM header says that the key is encrypted. */
  readonly encrypted: boolean;
}

const BEGIN = "-----BEGIN ";
/** Matches at most 1,000 characters: a longer match could exceed the stack of the regexp engine. */
const WHITE_SPACE = /\s{1,1000}/g;
const ENCRYPTION_HEADERS = /^(?:Proc-Type|DEK-Info):.*$/gim;

/**
 * Splits a text into its keys or certificates.
 *
 * The text contains PEM blocks, or bare base64 as in Alipay's console. Commas separate several
 * base64 texts. Line breaks may be real, missing, or written as `\n`, as in environment files.
 * @returns `undefined` if a part of the text is neither PEM nor base64.
 */
export function parseKeyMaterials(pasted: string): readonly KeyMaterial[] | undefined {
  const text = pasted.replaceAll("\\r", "").replaceAll("\\n", "\n");
  const parts = text.includes("-----") ? armouredParts(text) : bareParts(text);
  const materials = parts.map(({ inner, ...label }) => materialOf(inner, label));
  return materials.length > 0 && materials.every((one) => one !== undefined) ? materials : undefined;
}

/** A part of a text: its content, and the label of its PEM header if it has one. */
interface Part {
  readonly inner: string;
  readonly label?: string;
}

/**
 * Returns the PEM blocks of a text, or none if the text also contains a block without an end.
 *
 * Reads each character once, because the text may be long and is not trusted.
 */
function armouredParts(text: string): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; ;) {
    const begin = text.indexOf("-----", at);
    if (begin === -1) return parts;
    const labelEnd = text.indexOf("-----", begin + BEGIN.length);
    const label = text.slice(begin + BEGIN.length, labelEnd);
    if (!text.startsWith(BEGIN, begin) || labelEnd === -1 || !/^[A-Z0-9 ]+$/.test(label)) return [];
    const end = `-----END ${label}-----`;
    const innerEnd = text.indexOf(end, labelEnd + 5);
    if (innerEnd === -1) return [];
    parts.push({ label, inner: text.slice(labelEnd + 5, innerEnd) });
    at = innerEnd + end.length;
  }
}

function bareParts(text: string): readonly Part[] {
  return text.split(",").map((inner) => ({ inner }));
}

function materialOf(inner: string, label: Pick<Part, "label">): KeyMaterial | undefined {
  const base64 = inner.replace(ENCRYPTION_HEADERS, "").replace(WHITE_SPACE, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const encrypted = /^Proc-Type:.*ENCRYPTED/im.test(inner) || label.label?.startsWith("ENCRYPTED") === true;
  return { ...label, der: Buffer.from(base64, "base64"), encrypted };
}
