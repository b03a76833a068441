<#-- THIRD-PARTY.txt: a line for each library of the archive. -->
These libraries are their authors' work, unchanged, under these licenses. Each jar has its
license and notices in META-INF where its authors have put them.

<#list dependencyMap as entry>
<#assign library = entry.getKey()>
<#assign licenses = entry.getValue()>
${library.groupId}:${library.artifactId}:${library.version}  ${licenses?join(", ")}<#if library.url??>  ${library.url}</#if>
</#list>
