import { Award, BookOpen, Code, Flame, type LucideIcon, Trophy, Zap } from 'lucide-react'
import type { AchievementDefinition } from './achievements'

const icons: Record<AchievementDefinition['icon'], LucideIcon> = {
  award: Award,
  'book-open': BookOpen,
  trophy: Trophy,
  flame: Flame,
  code: Code,
  zap: Zap,
}

export function AchievementIcon({
  icon,
  size,
}: {
  icon: AchievementDefinition['icon']
  size: number
}) {
  const Icon = icons[icon]
  return <Icon aria-hidden="true" size={size} />
}
