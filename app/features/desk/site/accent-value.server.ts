import { failure, type Result, success } from '~/server/result'
import {
  findReadableAccent,
  getAccentContrast,
  isReadableAccent,
  minContrast,
  type Scheme,
} from '~/server/site/accent'
import { parseSiteValue } from '~/server/site/site-values'
import { type DeskChangeRequest, readText } from '../desk-form.server'
import { invalidValueMessages } from './site-part-actions.server'

const schemes: readonly Scheme[] = ['light', 'dark']

/**
 * Reads the accent colors of both themes, or null if both are empty. A color that is hard to read
 * fails with the nearest readable color as a suggestion, unless the form asks to take that color.
 */
export function readAccent(request: DeskChangeRequest): Result<unknown> {
  const light = readText(request, 'light').toLowerCase()
  const chosenDark = readText(request, 'dark').toLowerCase()
  if (light === '' && chosenDark === '') {
    return success(null)
  }

  if (light === '') {
    return failure('Write the color of the light theme, too, or empty both fields.', 'light')
  }

  const dark = chosenDark || findReadableColor(light, 'dark')
  const colors = { light, dark }
  if (parseSiteValue('accent', colors) === null) {
    return failure(invalidValueMessages.accent)
  }

  const unreadableSchemes = schemes.filter((scheme) => !isReadableAccent(colors[scheme], scheme))
  const shouldTakeNearest = request.form.get('nearest') === 'on'
  if (unreadableSchemes.length > 0 && !shouldTakeNearest) {
    const problems = unreadableSchemes.map((scheme) =>
      describeContrastProblem(colors[scheme], scheme),
    )
    return failure(problems.join(' '))
  }

  return success({
    light: findReadableAccent(light, 'light'),
    dark: findReadableAccent(dark, 'dark'),
    isDarkCalculated: chosenDark === '',
  })
}

/** Returns the nearest readable color. A text that is no color is returned unchanged. */
function findReadableColor(color: string, scheme: Scheme): string {
  return /^#[0-9a-f]{6}$/.test(color) ? findReadableAccent(color, scheme) : color
}

function describeContrastProblem(color: string, scheme: Scheme): string {
  const contrast = getAccentContrast(color, scheme).toFixed(1)
  const readableColor = findReadableAccent(color, scheme)

  return `In the ${scheme} theme, ${color} has a contrast of ${contrast}:1, and text needs ${minContrast}:1. ${readableColor} would pass.`
}
