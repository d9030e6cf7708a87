import { type PasswordStrength, passwordStrength } from './password-strength'

const looks = {
  none: { bars: 0, color: 'bg-line', text: 'text-muted' },
  weak: { bars: 1, color: 'bg-bad', text: 'text-bad' },
  medium: { bars: 2, color: 'bg-warn', text: 'text-warn' },
  strong: { bars: 3, color: 'bg-good', text: 'text-good' },
} as const satisfies Record<PasswordStrength, object>

/** Password strength as a word and three bars, and how to improve it. */
export function PasswordMeter({ password }: { password: string }) {
  const strength = passwordStrength(password)
  const { bars, color, text } = looks[strength]
  return (
    <div data-strength={strength}>
      <div aria-hidden="true" className="mt-1 mb-2 grid grid-cols-3 gap-1.5">
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={`h-1.5 rounded-full ${bar <= bars ? color : 'bg-line'}`} />
        ))}
      </div>
      <p aria-live="polite">
        Password strength: <strong className={text}>{strength}</strong>
      </p>
      <p>For a strong password, use 10 or more characters with a lowercase letter, an uppercase letter and a digit.</p>
    </div>
  )
}
