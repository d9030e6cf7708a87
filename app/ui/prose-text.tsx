import type { ComponentProps } from 'react'

type ProseTextProps = Pick<ComponentProps<'div'>, 'className' | 'dir' | 'onClick'> & {
  html: string
}

/** Shows HTML that `markdown.server.ts` rendered, with the styles of `prose-text.css`. */
export function ProseText({ html, className = '', dir = 'auto', onClick }: ProseTextProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the clicks are those of buttons inside.
    <div
      className={`prose ${className}`}
      dir={dir}
      onClick={onClick}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server renders it with raw HTML switched off, see markdown.server.ts.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
