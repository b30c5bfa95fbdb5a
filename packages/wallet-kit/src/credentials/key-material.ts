/** One key or certificate of a configured text. */
export interface KeyMaterial {
  /** The label of the PEM header, such as `PRIVATE KEY`; absent for bare base64. */
  readonly label?: string;
  readonly der: Buffer;
  /** Whether the PEM header says that the key is encrypted. */
  readonly encrypted: boolean;
}

const ARMOUR = /-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----/gs;
const ENCRYPTION_HEADERS = /^(?:Proc-Type|DEK-Info):.*$/gim;

/**
 * Splits a text into its keys or certificates.
 *
 * The text contains PEM blocks, or bare base64 as in Alipay's console, separated by commas. Line
 * breaks may be real, missing, or written as `\n`, as in environment files.
 * @returns `undefined` if a part of the text is neither PEM nor base64.
 */
export function parseKeyMaterials(pasted: string): readonly KeyMaterial[] | undefined {
  const text = pasted.replaceAll("\\r", "").replaceAll("\\n", "\n");
  const armoured = [...text.matchAll(ARMOUR)].map(([, label = "", inner = ""]) => ({ label, inner }));
  const parts =
    armoured.length > 0 ? (text.replace(ARMOUR, "").includes("-----") ? [] : armoured) : bareParts(text);
  const materials = parts.map(({ inner, ...label }) => materialOf(inner, label));
  return materials.length > 0 && materials.every((one) => one !== undefined) ? materials : undefined;
}

function bareParts(text: string): readonly { readonly inner: string; readonly label?: string }[] {
  return text.split(",").map((inner) => ({ inner }));
}

function materialOf(inner: string, label: { readonly label?: string }): KeyMaterial | undefined {
  const base64 = inner.replace(ENCRYPTION_HEADERS, "").replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const encrypted = /^Proc-Type:.*ENCRYPTED/im.test(inner) || label.label?.startsWith("ENCRYPTED") === true;
  return { ...label, der: Buffer.from(base64, "base64"), encrypted };
}
