import { createContext, type ReactNode, useContext } from 'react'
import formulaStyle from './formula.css?url'

/** The rendered HTML of each text that contains formulas. */
const FormulaHtml = createContext<Readonly<Record<string, string>>>({})

type FormulasProps = {
  /** The HTML that the server rendered, by text. */
  html: Readonly<Record<string, string>>
  /** Whether the page also has formulas outside of `FormulaText`. */
  alsoElsewhere?: boolean
  children: ReactNode
}

/**
 * Provides rendered formulas to each `FormulaText` inside, and loads the style sheet if it is
 * needed.
 */
export function Formulas({ html, alsoElsewhere = false, children }: FormulasProps) {
  const hasFormulas = alsoElsewhere || Object.keys(html).length > 0
  return (
    <FormulaHtml value={html}>
      {hasFormulas && <link rel="stylesheet" href={formulaStyle} precedence="default" />}
      {children}
    </FormulaHtml>
  )
}

/** Shows a text of a course that may contain formulas (`$x^2$`) and code between backticks. */
export function FormulaText({ text }: { text: string }) {
  const htmlByText = useContext(FormulaHtml)
  // A text can be the name of an inherited property, such as `constructor`.
  const html = Object.hasOwn(htmlByText, text) ? htmlByText[text] : undefined
  if (html === undefined) {
    return text
  }

  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server escaped the text and drew the formulas, see formula.server.ts.
  return <span className="formula-text" dangerouslySetInnerHTML={{ __html: html }} />
}
