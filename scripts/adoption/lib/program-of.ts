import { runOrThrow } from "@tillkit/repository";

/** Returns the program that the npm package for this platform brings. */
export async function programOf(scope: string, name: string, folder: string): Promise<string> {
  const args = [`node_modules/${scope}`, "-type", "f", "-name", name, "-perm", "-u+x"];
  const [program] = (await runOrThrow("find", args, folder)).split("\n");
  if (program === undefined || program === "") throw new Error(`npm installed no program ${name}.`);
  return `${folder}/${program}`;
}
