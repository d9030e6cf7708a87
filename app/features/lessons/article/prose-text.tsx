/** Markdown that `markdown.server.ts` rendered. Its look is in `prose-text.css`. */
export function ProseText({ html, className = '' }: { html: string; className?: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server renders it with raw HTML switched off, see markdown.server.ts.
  return <div className={`prose ${className}`} dangerouslySetInnerHTML={{ __html: html }} />
}
