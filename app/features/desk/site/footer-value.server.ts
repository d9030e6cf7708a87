import { footerLimits } from '~/server/site/site-values'
import { type DeskChangeRequest, readText } from '../desk-form.server'

type FooterLink = { label: string; to: string }
type FooterColumn = { title: string; links: FooterLink[] }

/**
 * Reads the footer's columns, with links in the chosen order and without empty rows. Returns null
 * if all columns are empty.
 */
export function readFooter(request: DeskChangeRequest): FooterColumn[] | null {
  const columns = Array.from({ length: footerLimits.columns }, (_, column) => ({
    title: readText(request, `title-${column}`),
    links: readFooterLinks(request, column),
  }))
  const filledColumns = columns.filter(({ title, links }) => title || links.length > 0)

  return filledColumns.length > 0 ? filledColumns : null
}

function readFooterLinks(request: DeskChangeRequest, column: number): FooterLink[] {
  const rows = Array.from({ length: footerLimits.links }, (_, row) => ({
    label: readText(request, `label-${column}-${row}`),
    to: completeUrl(readText(request, `to-${column}-${row}`)),
    sortKey: getSortKey(row, readText(request, `place-${column}-${row}`)),
  }))

  return rows
    .toSorted((first, second) => first.sortKey - second.sortKey)
    .map(({ label, to }) => ({ label, to }))
    .filter(({ label, to }) => label || to)
}

/**
 * Returns the number by which the row of a link is sorted. A row that moves up goes before the row
 * at its new place, and a row that moves down goes after it.
 *
 * @param place the chosen place, counted from 1; a text that is no digit keeps the row's place
 */
function getSortKey(row: number, place: string): number {
  const newRow = /^\d$/.test(place) ? Number(place) - 1 : row
  return newRow + Math.sign(newRow - row) / 2
}

/** Adds the scheme to a URL such as 'school.example'. */
function completeUrl(text: string): string {
  return /^[\w-]+(\.[\w-]+)+(\/|$)/.test(text) ? `https://${text}` : text
}
