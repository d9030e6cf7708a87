import { useState } from 'react'
import { Field } from '~/ui/form/field'
import { useHydrated } from '~/ui/hooks'
import { useFieldErrors, useSubmittedValues } from '../desk-context'

type Colors = Record<'light' | 'dark', string>

/**
 * Shows the fields for the accent color of each theme.
 *
 * @param accent the colors that the owner chose; empty where Learnify chooses
 * @param contrast the smallest contrast of the current color in each theme
 */
export function AccentFields({
  accent,
  contrast,
}: {
  accent: Colors
  contrast: Record<'light' | 'dark', number>
}) {
  const submittedValues = useSubmittedValues('accent')
  const errors = useFieldErrors('accent')

  return (
    <>
      <p className="text-muted">
        Buttons, links and marks have this color. Now its contrast is at least{' '}
        {contrast.light.toFixed(1)}:1 in the light theme and {contrast.dark.toFixed(1)}:1 in the
        dark one; text needs 4.5:1.
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <ColorField
          label="Color"
          name="light"
          value={submittedValues ? (submittedValues.light ?? '') : accent.light}
          error={errors.light}
          hint="Leave both empty for Learnify’s own."
        />
        <ColorField
          label="In the dark theme"
          name="dark"
          value={submittedValues ? (submittedValues.dark ?? '') : accent.dark}
          hint="Leave it empty for the nearest readable color."
        />
      </div>
      <label className="flex min-h-11 items-center gap-3">
        <input type="checkbox" name="nearest" className="size-5 shrink-0 accent-accent" />
        If a color is too hard to read, take the nearest one that isn’t
      </label>
    </>
  )
}

type ColorFieldProps = {
  label: string
  name: string
  value: string
  hint: string
  error?: string
}

/** Shows a color as a text field and, with scripts, also as the browser's color picker. */
function ColorField({ value, ...field }: ColorFieldProps) {
  const [color, setColor] = useState(value)
  const isHydrated = useHydrated()

  return (
    <Field
      {...field}
      value={isHydrated ? color : undefined}
      defaultValue={isHydrated ? undefined : value}
      onChange={(event) => setColor(event.target.value)}
      placeholder="#5140e0"
      pattern="#[0-9a-fA-F]{6}"
      title="A color like #5140e0"
      autoComplete="off"
      spellCheck={false}
      trailing={
        isHydrated && (
          <input
            type="color"
            aria-label={`${field.label}: choose`}
            value={/^#[0-9a-f]{6}$/i.test(color) ? color : '#5140e0'}
            onChange={(event) => setColor(event.target.value)}
            className="h-9 w-12 cursor-pointer rounded-control border border-edge bg-surface p-1"
          />
        )
      }
    />
  )
}
