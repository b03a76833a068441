{{- define "tributary.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 48 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 48 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "tributary.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tributary.labels" -}}
{{ include "tributary.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tributary.secret" -}}
{{- default (include "tributary.name" .) .Values.secret.existing }}
{{- end }}

{{/* Values that cannot work are refused before anything is installed. */}}
{{- define "tributary.check" -}}
{{- if not (has .Values.mode (list "standalone" "cluster")) }}{{ fail (printf "mode: expected standalone or cluster, found %s" .Values.mode) }}{{ end }}
{{- if not .Values.shards }}{{ fail "shards: expected at least one shard, found none; set shards.<name>.host and shards.<name>.user" }}{{ end }}
{{- range $name, $shard := .Values.shards }}
{{- if not (and $shard.host $shard.user) }}{{ fail (printf "shards.%s: expected host and user" $name) }}{{ end }}
{{- end }}
{{- if eq .Values.mode "cluster" }}
{{- if not .Values.cluster.zookeeper }}{{ fail "cluster.zookeeper: expected host:port,... of ZooKeeper, found nothing" }}{{ end }}
{{- if not (or .Values.cluster.certificates .Values.cluster.insecure) }}{{ fail "cluster.certificates: expected the name of a Secret; or set cluster.insecure=true in a network that nobody else can reach" }}{{ end }}
{{- end }}
{{- end }}

{{/* The configuration of a kind of node: (dict "root" $ "kind" "node|dumper|task"). */}}
{{- define "tributary.properties" -}}
{{- $root := .root }}{{ $values := .root.Values }}{{ $kind := .kind -}}
server.id = {{ int64 $values.serverId }}
admin.listen = 0.0.0.0:9107
{{- if eq $kind "node" }}
node.role = standalone
{{- else }}
node.id = ${env:POD_NAME}
node.host = ${env:POD_NAME}.{{ include "tributary.name" $root }}-nodes.{{ $root.Release.Namespace }}.svc
node.roles = {{ $kind }}
cluster.id = {{ $root.Release.Namespace }}-{{ include "tributary.name" $root }}
cluster.zookeeper = {{ $values.cluster.zookeeper }}
cluster.dumpers = {{ int $values.cluster.dumpers }}
dumper.ack = {{ $values.cluster.ack }}
{{- if $values.cluster.certificates }}
grpc.tls.certificate = /etc/tributary/certs/node.pem
grpc.tls.key = /etc/tributary/certs/node-key.pem
grpc.tls.ca = /etc/tributary/certs/ca.pem
grpc.tls.name = node.tributary
{{- else }}
grpc.insecure = true
{{- end }}
{{- end }}
{{- if ne $kind "task" }}
binlog.directory = /var/lib/tributary/binlog
serve.listen = 0.0.0.0:3307
{{- with $values.reader }}
serve.user = {{ . }}
serve.password = ${env:TRIBUTARY_READER_PASSWORD}
{{- end }}
{{- end }}
{{- if eq $kind "dumper" }}
dumper.listen = 0.0.0.0:3322
dumper.read = any
{{- end }}
{{- if eq $kind "task" }}
transmit.listen = 0.0.0.0:3320
{{- end }}
{{- if ne $kind "dumper" }}
store.directory = /var/lib/tributary/spill
{{- range $name, $shard := $values.shards }}
shard.{{ $name }}.host = {{ $shard.host }}
shard.{{ $name }}.port = {{ int (default 3306 $shard.port) }}
shard.{{ $name }}.user = {{ $shard.user }}
{{- if not (hasKey $values.properties (printf "shard.%s.password" $name)) }}
shard.{{ $name }}.password = ${env:TRIBUTARY_SHARD_PASSWORD}
{{- end }}
{{- end }}
{{- end }}
{{- range $key, $value := $values.properties }}
{{- if or (ne $kind "dumper") (not (hasPrefix "shard." $key)) }}
{{ $key }} = {{ $value }}
{{- end }}
{{- end }}
{{- end }}

{{/* The StatefulSet of a kind of node: (dict "root" $ "kind" "node|dumper|task" "replicas" 3). A Task keeps nothing. */}}
{{- define "tributary.statefulset" -}}
{{- $root := .root }}{{ $values := .root.Values }}{{ $kind := .kind }}{{ $name := include "tributary.name" .root -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ $name }}-{{ $kind }}
  labels:
    {{- include "tributary.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $kind }}
spec:
  serviceName: {{ $name }}-nodes
  replicas: {{ .replicas }}
  # Dumpers need each other for an election, so none waits for another one to be ready.
  podManagementPolicy: Parallel
  selector:
    matchLabels:
      {{- include "tributary.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $kind }}
  template:
    metadata:
      labels:
        {{- include "tributary.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $kind }}
      annotations:
        checksum/configuration: {{ include "tributary.properties" (dict "root" $root "kind" $kind) | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ $name }}
      automountServiceAccountToken: false
      # a node ends within 30 s after SIGTERM
      terminationGracePeriodSeconds: 40
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile:
          type: RuntimeDefault
      {{- with $values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: tributary
          image: "{{ $values.image.repository }}:{{ default $root.Chart.AppVersion $values.image.tag }}"
          imagePullPolicy: {{ $values.image.pullPolicy }}
          args: [start, -c, /etc/tributary/tributary.properties]
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities:
              drop: [ALL]
          env:
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            - name: TRIBUTARY_HEAP
              value: {{ $values.memory.heap | quote }}
            - name: TRIBUTARY_DIRECT
              value: {{ $values.memory.direct | quote }}
          envFrom:
            - secretRef:
                name: {{ include "tributary.secret" $root }}
          ports:
            - name: admin
              containerPort: 9107
            {{- if ne $kind "task" }}
            - name: mysql
              containerPort: 3307
            {{- end }}
            {{- if eq $kind "dumper" }}
            - name: dumper
              containerPort: 3322
            {{- end }}
            {{- if eq $kind "task" }}
            - name: transmit
              containerPort: 3320
            {{- end }}
          # A restore from a backup, and the check of the last file, may take long.
          startupProbe:
            httpGet: {path: /health/live, port: admin}
            periodSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: {path: /health/live, port: admin}
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          readinessProbe:
            httpGet: {path: /health/ready, port: admin}
            periodSeconds: 5
            timeoutSeconds: 5
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          volumeMounts:
            - {name: data, mountPath: /var/lib/tributary}
            - {name: tmp, mountPath: /tmp}
            - {name: configuration, mountPath: /etc/tributary/tributary.properties, subPath: tributary.properties, readOnly: true}
            {{- if and (ne $kind "node") $values.cluster.certificates }}
            - {name: certificates, mountPath: /etc/tributary/certs, readOnly: true}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir: {}
        - name: configuration
          configMap:
            name: {{ $name }}-{{ $kind }}
        {{- if eq $kind "task" }}
        - name: data
          emptyDir: {}
        {{- end }}
        {{- if and (ne $kind "node") $values.cluster.certificates }}
        - name: certificates
          secret:
            secretName: {{ $values.cluster.certificates }}
            defaultMode: 0440
        {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      affinity:
        {{- if $values.affinity }}
        {{- toYaml $values.affinity | nindent 8 }}
        {{- else }}
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 100
              podAffinityTerm:
                topologyKey: kubernetes.io/hostname
                labelSelector:
                  matchLabels:
                    {{- include "tributary.selector" $root | nindent 20 }}
                    app.kubernetes.io/component: {{ $kind }}
        {{- end }}
  {{- if ne $kind "task" }}
  # The binlog outlives the release: helm uninstall does not delete it.
  persistentVolumeClaimRetentionPolicy:
    whenDeleted: Retain
    whenScaled: Retain
  volumeClaimTemplates:
    - metadata:
        name: data
        labels:
          {{- include "tributary.selector" $root | nindent 10 }}
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $values.persistence.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests:
            storage: {{ $values.persistence.size }}
  {{- end }}
{{- end }}
