import type { SmsMessage } from "@tillkit/core";

/** A template, and the templates that replace it for single languages. */
export type WithLanguages<Template> = Template & {
  /** By BCP 47 tag, such as `en` or `zh-Hant`. `en` also serves `en-GB`. */
  readonly languages?: Readonly<Record<string, Template>>;
};

/** The template for all apps and languages, and those that replace it for some of them. */
export type Templates<Template> = WithLanguages<Template> & {
  /** By app id. An app that is listed here uses only its own templates, in every language. */
  readonly apps?: Readonly<Record<string, WithLanguages<Template>>>;
};

/**
 * Returns the template for the app and language of a message.
 *
 * An app without its own templates uses the templates for all apps. If the app has no template in
 * the language, its default template applies. So no customer reads the name of another app.
 */
export function templateFor<Template extends object>(
  templates: Templates<Template>,
  { appId, language }: Pick<SmsMessage, "appId" | "language">,
): Template {
  const { apps = {} } = templates;
  const ofApp = (Object.hasOwn(apps, appId) ? apps[appId] : undefined) ?? templates;
  const byTag = new Map(Object.entries(ofApp.languages ?? {}).map(([tag, one]) => [tag.toLowerCase(), one]));
  // The lookup of RFC 4647 removes the last part of the tag until there is a template.
  for (
    let tag = language?.toLowerCase() ?? "";
    tag !== "";
    tag = tag.slice(0, Math.max(0, tag.lastIndexOf("-")))
  ) {
    const found = byTag.get(tag);
    if (found !== undefined) return found;
  }
  return ofApp;
}

/** A template with its place in the options, such as `mainland.apps.app_1`. */
export interface PlacedTemplate<Template> {
  readonly place: string;
  readonly template: Template;
}

/**
 * Returns every template of the option `name`, each once.
 *
 * Throws a `RangeError` if a template lacks a member of `required`, or has an unknown member, or if
 * a key of `languages` is not a language tag or names a language twice.
 */
export function checkedTemplates<Template extends object>(
  carrier: string,
  name: string,
  templates: Templates<Template>,
  members: { readonly required: readonly string[]; readonly allowed: readonly string[] },
): readonly PlacedTemplate<Template>[] {
  const groups: readonly {
    readonly place: string;
    readonly group: WithLanguages<Template>;
    readonly own: readonly string[];
  }[] = [
    { place: name, group: templates, own: ["languages", "apps"] },
    ...Object.entries(templates.apps ?? {}).map(([appId, group]) => ({
      place: `${name}.apps.${appId}`,
      group,
      own: ["languages"],
    })),
  ];
  return groups.flatMap(({ place, group, own }) => {
    const tags = Object.keys(group.languages ?? {});
    checkTags(carrier, place, tags);
    const placed: readonly (PlacedTemplate<Template> & { readonly own: readonly string[] })[] = [
      { place, template: group, own },
      ...Object.entries(group.languages ?? {}).map(([tag, template]) => ({
        place: `${place}.languages.${tag}`,
        template,
        own: [],
      })),
    ];
    for (const { place, template, own } of placed) checkMembers(carrier, place, template, members, own);
    return placed.map(({ place, template }) => ({ place, template }));
  });
}

function checkTags(carrier: string, place: string, tags: readonly string[]): void {
  for (const tag of tags)
    if (!/^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,3}$/i.test(tag))
      throw new RangeError(
        `${carrier}: a key of ${place}.languages is no language tag, such as en or zh-Hant.`,
      );
  if (new Set(tags.map((tag) => tag.toLowerCase())).size < tags.length)
    throw new RangeError(`${carrier}: ${place}.languages names a language twice.`);
}

function checkMembers(
  carrier: string,
  place: string,
  template: object,
  { required, allowed }: { readonly required: readonly string[]; readonly allowed: readonly string[] },
  own: readonly string[],
): void {
  for (const member of required) {
    const value: unknown = Reflect.get(template, member);
    if (value === undefined || value === "")
      throw new RangeError(
        `${carrier} needs ${place}.${member}, which is ${value === "" ? "empty" : "missing"}.`,
      );
  }
  const unknown = Object.keys(template).find((member) => ![...required, ...allowed, ...own].includes(member));
  if (unknown === "autofill")
    throw new RangeError(`${carrier} sends approved templates only, so ${place} cannot have autofill.`);
  if (unknown !== undefined) throw new RangeError(`${carrier} does not know ${place}.${unknown}.`);
}
