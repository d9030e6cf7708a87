import { useContext } from 'react'
import { ProseText } from '~/ui/prose-text'
import proseStyle from '~/ui/prose-text.css?url'
import { DeskContext } from '../desk-context'

/** Shows the submitted text as visitors will see it, after the button 'Preview' was pressed. */
export function SiteTextPreview({ title }: { title: string }) {
  const { previewHtml } = useContext(DeskContext)
  if (previewHtml === undefined) {
    return null
  }

  return (
    <section aria-label="Preview" className="card mb-6 border-accent p-5 sm:p-8">
      <p className="eyebrow mb-4">Preview, not saved yet</p>
      <p className="title mb-6 [overflow-wrap:anywhere]">{title}</p>
      <link rel="stylesheet" href={proseStyle} precedence="default" />
      <ProseText html={previewHtml} />
    </section>
  )
}
