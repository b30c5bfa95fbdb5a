export function buildFolder(root?: string): string;
export function sources(root?: string): readonly string[];
