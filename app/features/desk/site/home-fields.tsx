import { SelectField } from '~/ui/form/field'
import { useSubmittedValues } from '../desk-context'

const choiceFields = [
  {
    name: 'numbers',
    label: 'Numbers',
    sources: { own: 'Learnify’s own', real: 'The school’s real ones', off: 'None' },
    hint: 'The real ones are learners, courses, lessons, certificates, fields and languages. Those that are 0 are left out. The category cards then count their courses, too.',
  },
  {
    name: 'testimonials',
    label: 'Testimonials',
    sources: { own: 'The ones written below', real: 'The latest reviews', off: 'None' },
    hint: 'The latest reviews are those of four and five stars with a sentence or more, by learners who show their names.',
  },
] as const

type HomeFieldsProps = {
  home: Record<(typeof choiceFields)[number]['name'], 'own' | 'real' | 'off'>
}

/** Shows a choice for each part of Home whose content can be Learnify's own or the school's. */
export function HomeFields({ home }: HomeFieldsProps) {
  const submittedValues = useSubmittedValues('home')

  return choiceFields.map(({ name, sources, ...field }) => (
    <SelectField
      key={name}
      name={name}
      {...field}
      defaultValue={submittedValues?.[name] ?? home[name]}
    >
      {Object.entries(sources).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  ))
}
