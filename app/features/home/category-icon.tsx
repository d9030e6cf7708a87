/** An icon that `category-icon.server.ts` drew; decorative. */
export function CategoryIcon({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server drew it from lucide's own shapes.
  return <span dangerouslySetInnerHTML={{ __html: html }} />
}
