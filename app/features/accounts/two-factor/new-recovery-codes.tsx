import { Check, Copy, Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '~/ui/button'
import { twoFactorTexts } from './two-factor-texts'

const recoveryCodesFileName = 'learnify-recovery-codes.txt'

/** Shows new recovery codes, which are never shown again, and moves the focus to them. */
export function NewRecoveryCodes({ codes }: { codes: string[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  const text = `${codes.join('\n')}\n`
  useEffect(() => heading.current?.focus(), [])

  async function copyCodes() {
    try {
      await navigator.clipboard.writeText(text)
      setIsCopied(true)
    } catch {
      // The browser does not allow it. The codes can still be downloaded or written down.
    }
  }

  return (
    <section className="card mb-6 p-5 sm:p-6" aria-labelledby="recovery-codes-title">
      <h2 ref={heading} id="recovery-codes-title" tabIndex={-1} className="font-bold text-lg">
        Your recovery codes
      </h2>
      <p className="mt-2">{twoFactorTexts.codes}</p>
      <ul className="mt-4 grid gap-x-8 gap-y-2 rounded-control bg-sunken p-4 font-mono text-lg sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-3">
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={recoveryCodesFileName}
          className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-edge bg-surface px-5 py-2.5 font-semibold text-ink leading-tight no-underline hover:border-ink"
        >
          <Download aria-hidden="true" size={18} /> Download
        </a>
        <Button variant="secondary" className="noscript:hidden" onClick={copyCodes}>
          {isCopied ? (
            <Check aria-hidden="true" size={18} />
          ) : (
            <Copy aria-hidden="true" size={18} />
          )}
          <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
        </Button>
      </div>
    </section>
  )
}
