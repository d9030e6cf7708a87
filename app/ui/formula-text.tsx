import { createContext, type ReactNode, useContext } from 'react'
import formulaStyle from './formula.css?url'

/** Texts with formulas, as HTML by text. */
const FormulaHtml = createContext<Readonly<Record<string, string>>>({})

/**
 * Provides the server's rendered formulas to the texts inside, and their style sheet if there are
 * any.
 */
export function Formulas({
  html,
  alsoElsewhere = false,
  children,
}: {
  html: Readonly<Record<string, string>>
  /** Whether the page also has formulas outside of `FormulaText`. */
  alsoElsewhere?: boolean
  children: ReactNode
}) {
  const needed = alsoElsewhere || Object.keys(html).length > 0
  return (
    <FormulaHtml value={html}>
      {needed && <link rel="stylesheet" href={formulaStyle} precedence="default" />}
      {children}
    </FormulaHtml>
  )
}

/** A text of the course that may have formulas (`$x^2$`) and code between backticks. */
export function FormulaText({ text }: { text: string }) {
  const html = useContext(FormulaHtml)[text]
  if (html === undefined) {
    return text
  }

  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server escaped the text and drew the formulas, see formula.server.ts.
  return <span className="formula-text" dangerouslySetInnerHTML={{ __html: html }} />
}
