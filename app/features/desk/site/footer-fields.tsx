import { getDefaultFooter } from '~/ui/site-footer'
import { useSubmittedValues } from '../desk-context'

type FooterLink = { label: string; to: string }
type FooterColumn = { title: string; links: readonly FooterLink[] }
/** The largest numbers of columns, and of links in a column. */
type FooterLimits = { columns: number; links: number }

const fieldClasses =
  'block min-h-11 w-full rounded-control border border-edge bg-surface px-3 py-2 text-ink'

/**
 * Shows the fields of the footer's columns, each with some empty rows for more links.
 *
 * @param columns null for Learnify's own footer
 */
export function FooterFields({
  columns,
  siteName,
  limits,
}: {
  columns: readonly FooterColumn[] | null
  siteName: string
  limits: FooterLimits
}) {
  const displayedColumns = columns ?? listDefaultColumns(siteName)

  return (
    <>
      <p className="text-muted">
        An address begins with / for a page of this site, like /Pages/about, or with https://. Empty
        rows are left out. If everything is empty, the footer is Learnify’s own. To move a link,
        choose another number.
      </p>
      <div className="grid gap-6">
        {listIndexes(limits.columns).map((index) => (
          <ColumnFields
            key={index}
            index={index}
            column={displayedColumns[index] ?? { title: '', links: [] }}
            maxLinks={limits.links}
          />
        ))}
      </div>
      <datalist id="site-addresses">
        {suggestedPaths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  )
}

function listDefaultColumns(siteName: string): FooterColumn[] {
  return getDefaultFooter(siteName).map(({ title, links }) => ({
    title,
    links: links.map(([label, to]) => ({ label, to })),
  }))
}

/** Lists the numbers from 0 to `count - 1`. */
function listIndexes(count: number): number[] {
  return [...Array(count).keys()]
}

const suggestedPaths = [
  '/',
  '/AllCourses',
  '/OneCourse',
  '/Instructor',
  '/Profile',
  '/Privacy',
  '/Terms',
]

/** The rows for more links in each column. */
const emptyRows = 2

type ColumnFieldsProps = { index: number; column: FooterColumn; maxLinks: number }

function ColumnFields({ index, column, maxLinks }: ColumnFieldsProps) {
  const submittedValues = useSubmittedValues('footer')
  const { title, links } = column
  const rowCount = Math.min(maxLinks, links.length + emptyRows)

  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium">Column {index + 1}</legend>
      <input
        aria-label={`Heading of column ${index + 1}`}
        name={`title-${index}`}
        defaultValue={submittedValues?.[`title-${index}`] ?? title}
        placeholder="Heading"
        maxLength={40}
        className={`${fieldClasses} mb-2 font-bold`}
      />
      <ul className="grid gap-2">
        {listIndexes(rowCount).map((row) => (
          <LinkFields key={row} column={index} row={row} rowCount={rowCount} link={links[row]} />
        ))}
      </ul>
    </fieldset>
  )
}

type LinkFieldsProps = {
  column: number
  row: number
  /** The number of rows in the column, which are the places that the link can move to. */
  rowCount: number
  /** Undefined for an empty row. */
  link: FooterLink | undefined
}

function LinkFields({ column, row, rowCount, link }: LinkFieldsProps) {
  const submittedValues = useSubmittedValues('footer')
  const label = `Column ${column + 1}, link ${row + 1}`

  return (
    <li className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-2">
      <input
        aria-label={`${label}: words`}
        name={`label-${column}-${row}`}
        defaultValue={submittedValues?.[`label-${column}-${row}`] ?? link?.label}
        placeholder="Words"
        maxLength={60}
        className={fieldClasses}
      />
      <input
        aria-label={`${label}: address`}
        name={`to-${column}-${row}`}
        defaultValue={submittedValues?.[`to-${column}-${row}`] ?? link?.to}
        placeholder="Address"
        maxLength={300}
        list="site-addresses"
        className={fieldClasses}
      />
      <select
        aria-label={`${label}: place`}
        name={`place-${column}-${row}`}
        defaultValue={submittedValues?.[`place-${column}-${row}`] ?? row + 1}
        className="min-h-11 rounded-control border border-edge bg-surface px-2 py-2 text-ink"
      >
        {listIndexes(rowCount).map((index) => (
          <option key={index} value={index + 1}>
            {index + 1}
          </option>
        ))}
      </select>
    </li>
  )
}
